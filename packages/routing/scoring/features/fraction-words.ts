/** Words for fractions, where cheap models make mistakes, in several languages. */

const words = `half halves third thirds quarter quarters fourth fourths fifth fifths
  halb halbe halben halbes hälfte drittel viertel fünftel
  moitié demi demie tiers quart quarts cinquième
  mitad medio media tercio tercios cuarto cuartos quinto
  metade meio meia terço terços quarto quartos
  metà mezzo mezza terzo terzi quarti
  половина половину половины половине половиной треть трети четверть четверти`

const hashes = new Set(words.split(/\s+/).map(hashOf))

function hashOf(word: string): number {
  let hash = 0x811c9dc5
  for (let index = 0; index < word.length; index++)
    hash = Math.imul(hash ^ word.charCodeAt(index), 0x01000193)
  return hash
}

/** Looks up the hash that `readPrompt` computes of a lower-cased word (FNV-1a). */
export function isFractionWord(hash: number): boolean {
  return hashes.has(hash)
}
