/** OpenAI reports no usage here. Ours has the shape of OpenAI's other endpoints, with the cost. */
export { formatInputUsage as formatPricedUsage } from '../../answers/input-usage.ts'
