/** Examples of stock by any name, its history. */
export const stockAdminExamples = {};
