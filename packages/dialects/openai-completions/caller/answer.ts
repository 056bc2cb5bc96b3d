import type { ModelResponse, ResponseChoice } from '@turnpike/protocol'
import { isWithheld, filterMember } from '../../answers/withheld-members.ts'
import type { AnswerHead } from '../../bridge.ts'
import type { FormattedAnswer } from '../../caller.ts'
import { answerHead } from '../../openai-chat/caller/answer-head.ts'
import { formatPricedUsage } from '../../openai-chat/caller/usage.ts'
import { formatFinishReason, idOf } from './words.ts'

/** A whole answer in OpenAI's shape (`CreateCompletionResponse`). */
export function formatResponse(response: ModelResponse, head: AnswerHead): FormattedAnswer {
  const known = { ...head, id: idOf(response.id, head.id), created: response.created ?? head.created }
  const body: Record<string, unknown> = {
    ...answerHead('text_completion', known, response.extensions),
    choices: response.choices.map((choice) => formatChoice(choice, head.reasoningHidden === true)),
  }
  return (usage, cost) => (usage === undefined ? body : { ...body, usage: formatPricedUsage(usage, cost) })
}

function formatChoice({ index, blocks, finish }: ResponseChoice, hidden: boolean): Record<string, unknown> {
  const choice: Record<string, unknown> = {
    text: '',
    index,
    logprobs: null,
    finish_reason: formatFinishReason(finish?.reason ?? 'stop'),
  }
  let text = ''
  let reasoning = ''
  for (const { kind, text: blockText, name = 'raw', values = [] } of blocks) {
    if (kind === 'text' || kind === 'refusal') text += blockText
    else if (kind === 'reasoning') reasoning += blockText
    else if (kind === 'raw' && !isWithheld(name))
      for (const one of values) choice[name] = filterMember(name, one)
  }
  choice['text'] = text
  if (reasoning !== '' && !hidden) choice['reasoning_content'] = reasoning
  return choice
}
