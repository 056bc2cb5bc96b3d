import type { ModelResponse, ResponseBlock, ResponseChoice } from '@turnpike/protocol'
import { addAside } from '../../answers/asides.ts'
import type { BridgeHead } from '../../bridge.ts'
import type { FormattedAnswer } from '../../caller.ts'
import { ownMembers } from './asides.ts'
import { formatFinishReason } from './finish-reason.ts'
import { functionCall } from './function-call.ts'
import { formatProofs, type ProvenThought } from './reasoning-proof.ts'
import { formatUsage } from './usage.ts'

type Json = Record<string, unknown>

/** A whole answer in Google's shape: https://ai.google.dev/api/generate-content#generatecontentresponse. */
export function formatResponse(response: ModelResponse, head: BridgeHead): FormattedAnswer {
  const candidates = response.choices.map((choice) => formatCandidate(choice, head))
  const answer = { candidates, modelVersion: head.model, responseId: response.id ?? head.id }
  return (usage, cost) =>
    usage === undefined ? answer : { ...answer, usageMetadata: formatUsage(usage, cost) }
}

function formatCandidate({ blocks, finish, index }: ResponseChoice, head: BridgeHead): Json {
  const parts: Json[] = []
  const asides: Json = {}
  let proven: ProvenThought[] = []
  const say = (part: Json): void => {
    const thoughtSignature = formatProofs(proven)
    proven = []
    parts.push(thoughtSignature === '' ? part : { ...part, thoughtSignature })
  }
  for (const block of blocks) {
    switch (block.kind) {
      case 'text':
      case 'refusal':
        if (block.text !== '') say({ text: block.text })
        break
      case 'reasoning':
        if (block.text !== '' && head.reasoningHidden !== true)
          parts.push({ text: block.text, thought: true })
        proven.push(provenThought(block))
        break
      case 'tool-call':
        say(functionCall(block.toolCall, block.text))
        break
      case 'raw':
        for (const value of block.values ?? []) addAside(asides, ownMembers, block.name, value)
    }
  }
  if (formatProofs(proven) !== '') say({ text: '' })
  const finishReason = formatFinishReason(finish?.reason ?? 'stop')
  return { ...asides, content: { parts, role: 'model' }, finishReason, index }
}

function provenThought({ reasoning, signature, encrypted, text }: ResponseBlock): ProvenThought {
  const end = {
    ...(signature === undefined ? {} : { signature }),
    ...(encrypted === undefined ? {} : { encrypted }),
  }
  return { head: reasoning, end, text }
}
