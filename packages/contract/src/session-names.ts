export const sessionCookieName = 'backoffice_session';

/** Needed for every change. */
export const csrfHeaderName = 'X-CSRF-Token';
