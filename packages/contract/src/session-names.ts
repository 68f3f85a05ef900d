/** The cookie that holds a person's session; it opens the back office alone. */
export const sessionCookieName = 'backoffice_session';

/** The header in which a page repeats the session's CSRF token where something is changed. */
export const csrfHeaderName = 'X-CSRF-Token';
