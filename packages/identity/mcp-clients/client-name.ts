const maxLength = 64
/** Control characters, characters that change how neighbouring text reads, and invisible characters. */
const unseen = /[\p{C}\p{Default_Ignorable_Code_Point}\u2800\s]+/gu
/** More marks on one letter than any language uses would cover the lines above and below. */
const piledMarks = /(\p{M}{4})\p{M}+/gu

/** An app's name for itself, made safe to show beside our own words: on one line, at most 64 characters. */
export function clientName(text: string): string | undefined {
  const name = text.replaceAll(unseen, ' ').replaceAll(piledMarks, '$1').trim()
  return name === '' ? undefined : Array.from(name).slice(0, maxLength).join('').trim()
}
