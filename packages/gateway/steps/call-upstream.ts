import type { Answer } from '../answer/answer.ts'
import { AttemptLoop } from '../attempts/attempt-loop.ts'
import { dropPrompt } from '../attempts/drop-request.ts'
import type { Candidate } from '../candidates/candidate.ts'
import type { Gateway } from '../context/gateway.ts'
import type { Held } from '../context/stages.ts'

/**
 * Asks one candidate after the other, always with the original request, until an answer has begun; resolves
 * with its first token, or with the whole of a plain answer.
 * @throws {GatewayError} what the caller is to know where nobody answered, or what was refused for what the
 * request itself says
 */
export async function callUpstream(request: Held, gateway: Gateway): Promise<Answer> {
  const { candidates, call } = request
  const course = new AttemptLoop(request, gateway)
  let end = 0
  while (end < candidates.length) {
    const start = end
    end = endOfModel(candidates, start)
    if (start > 0) course.requireSupported(candidates[start - 1]!)
    const ofModel = candidates.length === 1 ? candidates : candidates.slice(start, end)
    for (const candidate of gateway.order.of(ofModel, call.request.stream)) {
      const answer = await course.ask(candidate)
      if (answer === undefined) continue
      dropPrompt(request)
      return answer
    }
  }
  const answer = (await course.askRefusedCandidate()) ?? (await course.askAfterCredentials())
  if (answer === undefined) return course.endUnanswered()
  dropPrompt(request)
  return answer
}

/** Behind the last candidate of the model whose first one is at `start`. */
function endOfModel(candidates: readonly Candidate[], start: number): number {
  let end = start + 1
  while (candidates[end]?.model === candidates[start]!.model) end++
  return end
}
