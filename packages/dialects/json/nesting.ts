const quote = 0x22
const backslash = 0x5c

/** Whether a JSON text nests deeper than this. For most texts, counting brackets is enough to rule it out. */
export function nestsDeeper(text: string, levels: number): boolean {
  if (text.length < 2 * levels) return false
  return openAtMost(text, '[', ']') + openAtMost(text, '{', '}') > levels && depthOf(text) > levels
}

/** How many brackets are open at one place at most, including brackets inside strings. */
function openAtMost(text: string, opening: string, closing: string): number {
  let most = 0
  let open = 0
  let close = text.indexOf(closing)
  for (let at = text.indexOf(opening); at !== -1; at = text.indexOf(opening, at + 1)) {
    for (; close !== -1 && close < at; close = text.indexOf(closing, close + 1)) open--
    if (++open > most) most = open
  }
  return most
}

function depthOf(text: string): number {
  let most = 0
  let open = 0
  for (let at = 0; at < text.length; at++) {
    const character = text[at]
    if (character === '"') at = stringEnd(text, at)
    else if (character === '[' || character === '{') most = Math.max(most, ++open)
    else if (character === ']' || character === '}') open--
  }
  return most
}

/** The index of the closing quote of the string that opens at `start`. */
function stringEnd(text: string, start: number): number {
  let at = start + 1
  for (; at < text.length && text.charCodeAt(at) !== quote; at++) if (text.charCodeAt(at) === backslash) at++
  return at
}
