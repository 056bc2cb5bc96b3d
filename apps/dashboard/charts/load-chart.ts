/** The drawing is a third of all code, and comes only where something is drawn. */
export const loadChart = () => import('./stacked-bars.tsx')
