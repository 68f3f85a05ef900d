/** A Markdown table. */
export function table(head: string[], rows: string[][]): string {
  const line = (cells: string[]) => `| ${cells.join(' | ')} |\n`;
  return line(head) + line(head.map(() => '---')).replaceAll(' ', '') + rows.map(line).join('');
}
