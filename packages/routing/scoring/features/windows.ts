import { classes, nothing, space } from './characters.ts'

/**
 * What is read of a prompt: its beginning and its end, with a run of white space counted as one character.
 */
const headCharacters = 2_000
const tailCharacters = 1_000

/** White space is passed over this many times further than that, and no further. */
const paddingFactor = 4

/** 1 for white space and the like, by code unit: added up, where a branch is guessed wrong at each word. */
const blanks = Uint8Array.from(classes, (kind) => (kind === space || kind === nothing ? 1 : 0))

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
  let before = 1
  for (; index < limit && counted < headCharacters; index++) {
    const blank = blanks[text.charCodeAt(index)]!
    counted += 1 - (blank & before)
    before = blank
  }
  return index
}

function tailStartOf(text: string): number {
  const limit = Math.max(0, text.length - tailCharacters * paddingFactor)
  let counted = 0
  let index = text.length
  let behind = 1
  for (; index > limit && counted < tailCharacters; index--) {
    const blank = blanks[text.charCodeAt(index - 1)]!
    counted += 1 - (blank & behind)
    behind = blank
  }
  return index
}
