const maxLength = 60

const either = (words: string): string => words.trim().replaceAll(/\s*\|\s*/g, '|')

/** Words that may precede a reference: `ok, and now …`. */
const openings = either(`
  yes | yep | yeah | ok | okay | sure | please | and | so | now | then | no | nope | great | good |
  perfect | thanks | thank you | hmm | well | alright
`)

/** Messages that only make sense after earlier ones, in the languages that we have word lists for. */
const references = either(`
  go on | go ahead | continue | keep going | proceed | carry on | do it | do that | do so | do this |
  try again | again | retry | redo | redo it | next | more | finish | finish it | fix it | fix that |
  fix this | fix them | same | same again | both | all of them | option \\w |
  the (?:first|second|third|last|other) one | why | why not | how | how so | what else | and then |
  explain (?:it|that|this|more) | what about (?:it|that|this|the other one) | shorter | longer |
  simpler | make it (?:shorter|longer|better|simpler) | weiter | mach weiter | ja | nein | bitte |
  nochmal | oui | non | vas-y | encore | sí | si | sigue | continúa | otra vez | sim | não | да |
  нет | продолжай | дальше | ещё | 继续 | 好的 | 是 | 是的 | 好 | 再来 | はい | 続けて | お願いします | 네 | 계속 | 계속해
`)

const endings = either('please | then | now | it | that | this | for me | with it')

const anaphoric = new RegExp(
  [
    `^(?:(?:${openings})(?:[\\s,.!]+|$))*`,
    `(?:(?:${references})(?:[\\s,]+(?:${endings}))*)?`,
    '[\\s.!?…。！？]*$',
  ].join(''),
  'iu',
)

/** At the beginning or end of a conversation, these have a meaning of their own. */
const standsByItself = /^(?:great|good|perfect|thanks|thank you|hmm|well|alright)[\s,.!?]*$/i

/**
 * Whether a short message means nothing by itself: `yes, go on`, `try again`, `why?`. Thanks do not count.
 */
export function isAnaphoric(ask: string): boolean {
  return ask.length <= maxLength && anaphoric.test(ask) && !standsByItself.test(ask)
}
