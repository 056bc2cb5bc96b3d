import type { Answer } from '../answer/answer.ts'
import { AttemptLoop } from '../attempts/attempt-loop.ts'
import { dropPrompt } from '../attempts/drop-request.ts'
import type { Candidate } from '../candidates/candidate.ts'
import type { Gateway } from '../context/gateway.ts'
import type { Held } from '../context/stages.ts'

/**
 * Tries one candidate after the other, always with the original request, until an answer begins. Resolves at
 * its first token, or with the whole of a plain answer.
 * @throws {GatewayError} the caller's error if no candidate answered, or if the request itself is at fault
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
    const ordered = gateway.order.of(ofModel, call.request.stream)
    // By index: an iterator, with its `try` and `finally`, would be in the frame of every waiting request.
    for (let index = 0; index < ordered.length; index++) {
      const answer = await course.ask(ordered[index]!)
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

/** The index after the last candidate of the model whose first candidate is at `start`. */
function endOfModel(candidates: readonly Candidate[], start: number): number {
  let end = start + 1
  while (candidates[end]?.model === candidates[start]!.model) end++
  return end
}
