/** Examples of partners, API accounts and their usage. */
export const clientsExamples = {};
