/** Examples of connections of restaurants and partners. */
export const connectionsExamples = {};
