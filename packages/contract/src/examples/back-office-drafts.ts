/** Examples of configuration as drafts and publications. */
export const draftsExamples = {};
