/** What the page looks back on. */
export const homeDays = 30
