/** Examples of management groups and restaurants. */
export const organizationExamples = {};
