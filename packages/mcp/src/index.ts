export { serveOverHttp } from './http.ts';
export type { TestCards } from './pay.ts';
export { Tools, type ToolsOptions } from './server.ts';
export { serveOverStdio } from './stdio.ts';
