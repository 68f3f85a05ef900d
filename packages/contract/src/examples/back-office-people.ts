/** Examples of people, their roles, sessions and invitations. */
export const peopleExamples = {};
