import { classes, nothing, space } from './characters.ts'

/**
 * What is read of a prompt: its beginning and its end, with a run of white space counted as one character.
 */
const headCharacters = 2_000
const tailCharacters = 1_000

/** White space is passed over this many times further than that, and no further. */
const paddingFactor = 4

/** Offsets in the text: read from 0 to `headEnd`, and from `tailStart` to the end. */
export interface Windows {
  headEnd: number
  tailStart: number
}

export function windowsOf(text: string): Windows {
  const headEnd = headEndOf(text)
  if (headEnd === text.length) return { headEnd, tailStart: headEnd }
  return { headEnd, tailStart: Math.max(headEnd, tailStartOf(text)) }
}

function headEndOf(text: string): number {
  const limit = Math.min(text.length, headCharacters * paddingFactor)
  let counted = 0
  let index = 0
  for (let afterSpace = true; index < limit && counted < headCharacters; index++) {
    const isSpace = isBlank(text.charCodeAt(index))
    if (!isSpace || !afterSpace) counted++
    afterSpace = isSpace
  }
  return index
}

function tailStartOf(text: string): number {
  const limit = Math.max(0, text.length - tailCharacters * paddingFactor)
  let counted = 0
  let index = text.length
  for (let afterSpace = true; index > limit && counted < tailCharacters; index--) {
    const isSpace = isBlank(text.charCodeAt(index - 1))
    if (!isSpace || !afterSpace) counted++
    afterSpace = isSpace
  }
  return index
}

function isBlank(code: number): boolean {
  const kind = classes[code]!
  return kind === space || kind === nothing
}
