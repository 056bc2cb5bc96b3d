/** Responses contain credit, keys and names: no cache may store them, no browser guess their type. */
export const answerHeaders = { 'cache-control': 'no-store', 'x-content-type-options': 'nosniff' }
