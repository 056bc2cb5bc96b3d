import type { Conversation } from './conversation.ts'
import type { Attachment, Turn } from './turn.ts'
import { turnsOf, waitsForResults } from './conversation.ts'
import type { CodeRequest } from '../code/code-request.ts'
import type { ChosenModel } from '../settings/model-choice.tsx'
import { readSettings, takes, type Mistakes, type Settings } from '../settings/settings.ts'
import type { RequestHead } from './asking.ts'

/** The request to each model without its messages, and what is wrong with the settings. */
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

/**
 * The request for the code panel: the conversation up to the last question; a sample question if there is
 * none.
 */
export function codeRequestOf(head: RequestHead, { rounds }: Conversation, place: number): CodeRequest {
  const turns = turnsOf(rounds, place).map(plain)
  const end = turns.findLastIndex(({ role }) => role !== 'assistant')
  return {
    ...head,
    turns: end === -1 ? [{ role: 'user', text: 'Hello!' }] : turns.slice(0, end + 1),
  }
}

/** Removes reasoning details, which only the playground sends back: no SDK has a field for them. */
function plain(turn: Turn): Turn {
  return turn.role === 'assistant' ? { ...turn, reasoningDetails: [] } : turn
}

/** Why no question can be sent now; undefined if one can. */
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

/** Which attachments the models do not support, according to their input types. */
export function untakenOf(
  models: readonly ChosenModel[],
  attachments: readonly Attachment[],
): string | undefined {
  for (const { id, model } of models) {
    const input = model?.modalities.input
    // For auto-routing it depends on the chosen model.
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
