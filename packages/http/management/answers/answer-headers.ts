/**
 * Responses contain credit, keys and people's names: nobody may cache them, and no browser may guess their
 * type.
 */
export const answerHeaders = { 'cache-control': 'no-store', 'x-content-type-options': 'nosniff' }
