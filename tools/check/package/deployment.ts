import { execFile } from 'node:child_process';
import { copyFile, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { ROOT } from '../../package/programs.ts';

const run = promisify(execFile);
const DEPLOY = path.join(ROOT, 'docs/guides/deploy');
const BUILDERS = ['podman', 'docker'];
/** In tenths, as systemd counts: below it says OK. */
const EXPOSURE_AT_MOST = 20;
const IMAGE = 'servery-package-check';

/** Checks the unit of systemd and the image, where this machine has what that takes. */
export async function checkDeployment(folder: string): Promise<void> {
  await checkUnit(folder);
  for (const builder of BUILDERS) {
    if (!(await succeeds(builder, ['info']))) continue;
    const file = path.join(DEPLOY, 'Containerfile');
    const format = builder === 'podman' ? ['--format', 'docker'] : [];
    await run(builder, [
      'build',
      ...format,
      '--tag',
      IMAGE,
      '--file',
      file,
      path.join(ROOT, 'dist'),
    ]);
    await run(builder, ['run', '--rm', IMAGE, '--version']);
    await run(builder, ['rmi', IMAGE]);
    console.log(`   ${builder} builds the image`);
    return;
  }
  console.log('   not checked: the image, for want of a builder');
}

async function checkUnit(folder: string): Promise<void> {
  if (!(await succeeds('systemd-analyze', ['--version']))) {
    console.log('   not checked: the unit, for want of systemd');
    return;
  }
  const unit = path.join(folder, 'servery.service');
  await copyFile(path.join(DEPLOY, 'servery.service'), unit);
  const security = ['security', '--offline=true', `--threshold=${EXPOSURE_AT_MOST}`, unit];
  await run('systemd-analyze', security);
  // A program that is there on this machine.
  const text = await readFile(unit, 'utf8');
  await writeFile(unit, text.replace(/^ExecStart=\S+/m, `ExecStart=${process.execPath}`));
  await run('systemd-analyze', ['verify', unit]);
  console.log('   systemd takes the unit');
}

async function succeeds(program: string, args: readonly string[]): Promise<boolean> {
  return await run(program, args).then(
    () => true,
    () => false,
  );
}
