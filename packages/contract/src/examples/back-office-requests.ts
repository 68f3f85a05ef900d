/** Examples of the log of requests. */
export const requestsExamples = {};
