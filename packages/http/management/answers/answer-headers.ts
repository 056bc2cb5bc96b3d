/** Answers hold credit, keys and people's names: nobody caches them, no browser guesses their type. */
export const answerHeaders = { 'cache-control': 'no-store', 'x-content-type-options': 'nosniff' }
