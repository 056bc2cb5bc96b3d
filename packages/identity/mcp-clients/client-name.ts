const maxLength = 64
/** Controls, what changes how the text beside it reads, and what is there without being seen. */
const unseen = /[\p{C}\p{Default_Ignorable_Code_Point}\u2800\s]+/gu
/** More marks on one letter than any language has cover what stands above and below it. */
const piledMarks = /(\p{M}{4})\p{M}+/gu

/** What an app calls itself, as it may stand beside our own words: on one line, at most 64 characters. */
export function clientName(told: string): string | undefined {
  const name = told.replaceAll(unseen, ' ').replaceAll(piledMarks, '$1').trim()
  return name === '' ? undefined : Array.from(name).slice(0, maxLength).join('').trim()
}
