import assert from 'node:assert/strict';

const LABEL = /[a-zA-Z_]\w*="(\\[\\"n]|[^"\\])*"/.source;
const VALUE = /-?\d+(\.\d+)?(e[+-]?\d+)?|NaN|[+-]Inf/.source;
const SAMPLE = new RegExp(`^[a-zA-Z_:][\\w:]*(\\{${LABEL}(,${LABEL})*,?\\})? (${VALUE})$`);

/**
 * The samples of a text in the format of Prometheus, version 0.0.4, by their names with labels.
 * Fails for a line that is none, for a name without a type, and for what stands twice.
 */
export function samplesOf(text: string): Map<string, number> {
  assert.ok(text.endsWith('\n'), 'the last line ends');
  const types = new Map<string, string>();
  const samples = new Map<string, number>();
  for (const line of text.split('\n').filter((each) => each !== '')) {
    const [, name = '', type = ''] =
      /^# TYPE (\S+) (counter|gauge|histogram|summary)$/.exec(line) ?? [];
    if (name !== '') {
      assert.ok(!types.has(name), `the type of ${name} stands twice`);
      types.set(name, type);
    } else if (!/^# HELP \S+ /.test(line)) {
      assert.match(line, SAMPLE);
      const at = line.lastIndexOf(' ');
      assert.ok(!samples.has(line.slice(0, at)), `${line} stands twice`);
      samples.set(line.slice(0, at), Number(line.slice(at + 1)));
    }
  }
  for (const sample of samples.keys()) {
    const name = sample.replace(/\{.*/, '');
    const family = name.replace(/_(bucket|sum|count)$/, '');
    assert.ok(types.has(name) || types.has(family), `${name} has no type`);
  }
  return samples;
}
