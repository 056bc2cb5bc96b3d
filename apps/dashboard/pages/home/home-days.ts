/** The number of days that the page shows. */
export const homeDays = 30
