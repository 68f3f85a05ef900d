/** Examples of the record of changes. */
export const auditExamples = {};
