const DEFECT_VARIABLE = 'PLANTED_DEFECT';
const PLANT = new URL('plant.ts', import.meta.url).href;

/** Variables that plant a defect in every Node.js process that is started with them. */
export function environmentWith(defectName: string): Record<string, string> {
  return { [DEFECT_VARIABLE]: defectName, NODE_OPTIONS: `--import=${PLANT}` };
}

/** The name of the defect that this process was started with; null for none. */
export function plantedDefect(): string | null {
  return process.env[DEFECT_VARIABLE] ?? null;
}

/** What a process passes on to those that it starts, so that they have its defect too. */
export function plantedEnvironment(): Record<string, string> {
  const name = plantedDefect();
  return name === null ? {} : environmentWith(name);
}
