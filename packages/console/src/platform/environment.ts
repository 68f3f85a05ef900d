/** What the server tells of the environment in the page itself, before anybody has logged in. */
const told = document.querySelector<HTMLMetaElement>('meta[name="environment"]');

export const isSandbox = told?.content === 'sandbox';

export const brand = told?.dataset.brand ?? 'Platform';
