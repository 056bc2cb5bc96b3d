/** OpenAI tells none: ours has what it tells elsewhere, with what it cost. */
export { formatInputUsage as formatPricedUsage } from '../../answers/input-usage.ts'
