import type { Conversation } from './conversation.ts'
import type { Attachment, Turn } from './turn.ts'
import { turnsOf, waitsForResults } from './conversation.ts'
import type { CodeRequest } from '../code/code-request.ts'
import type { ChosenModel } from '../settings/model-choice.tsx'
import { readSettings, takes, type Mistakes, type Settings } from '../settings/settings.ts'
import type { RequestHead } from './asking.ts'

/** What each of the models is asked, without what was said; and what is wrong with the settings. */
export function requestsOf(
  models: readonly ChosenModel[],
  settings: Settings,
): { heads: RequestHead[]; mistakes: Mistakes } {
  const read = models.map(({ model }) => readSettings(settings, (parameter) => takes(model, parameter)))
  const { system, tags } = settings
  return {
    heads: models.map(({ id }, place) => ({
      origin: location.origin,
      model: id,
      system: system.trim() === '' ? '' : system,
      tags,
      ...read[place]!.parameters,
    })),
    mistakes: Object.assign({}, ...read.map((one) => one.mistakes)) as Mistakes,
  }
}

/** The request as code has it: the conversation up to what was asked last; before that, something to ask. */
export function codeRequestOf(head: RequestHead, { rounds }: Conversation, place: number): CodeRequest {
  const turns = turnsOf(rounds, place).map(plain)
  const end = turns.findLastIndex(({ role }) => role !== 'assistant')
  return {
    ...head,
    turns: end === -1 ? [{ role: 'user', text: 'Hello!' }] : turns.slice(0, end + 1),
  }
}

/** Without what only the playground gives back to vendors: no SDK knows it. */
function plain(turn: Turn): Turn {
  return turn.role === 'assistant' ? { ...turn, reasoningDetails: [] } : turn
}

/** Why nothing can be asked now; undefined where it can. */
export function hindranceOf(
  heads: readonly RequestHead[],
  mistakes: Mistakes,
  { rounds }: Conversation,
): string | undefined {
  if (heads.length === 0) return 'Models are still loading.'
  if (Object.keys(mistakes).length > 0) return 'Fix the invalid setting first.'
  const waits = rounds.at(-1)?.answers.some((steps) => waitsForResults(steps.at(-1)))
  return waits === true ? 'A tool was called. Send its result first.' : undefined
}

/** What the models do not take of what is attached, by their own lists. */
export function untakenOf(
  models: readonly ChosenModel[],
  attachments: readonly Attachment[],
): string | undefined {
  for (const { id, model } of models) {
    const input = model?.modalities.input
    // Of auto-routing it depends on what is chosen.
    if (input === undefined || id.includes('auto')) continue
    for (const [kind, words] of [
      ['image', 'images'],
      ['file', 'PDFs'],
    ] as const)
      if (attachments.some((one) => one.kind === kind) && !input.includes(kind))
        return `${id} does not accept ${words}.`
  }
  return undefined
}
