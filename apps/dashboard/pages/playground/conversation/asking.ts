import type { QueryClient } from '@tanstack/react-query'
import { ApiFailure } from '../../../api/api-failure.ts'
import { accountQuery } from '../../../api/queries.ts'
import { makeStale } from '../../../api/stale.ts'
import type { CodeRequest } from '../code/code-request.ts'
import { keepConversation } from '../history/history.ts'
import { chargeOf } from './charge-of.ts'
import { complete } from './complete.ts'
import { newStep, turnsOf, type Question, type Round, type Step } from './conversation.ts'
import { playground } from './store.ts'

/** A request without its messages, which come from the conversation. */
export type RequestHead = Omit<CodeRequest, 'turns'>

const controllers = new Map<number, AbortController>()

/**
 * Sends the question to each model. If all of them fail, the question returns to the composer.
 * @param heads by place
 * @returns whether any model accepted it
 */
export async function ask(
  question: Question,
  heads: readonly RequestHead[],
  queryClient: QueryClient,
): Promise<boolean> {
  playground.change({ error: undefined })
  const before = playground.read().conversation
  playground.changeConversation({ models: heads.map(({ model }) => model), changedMs: Date.now() })
  playground.addRound({ question, answers: heads.map(() => []) })
  const failures = await Promise.all(heads.map((head, place) => answer(head, place, queryClient)))
  const refused = failures.every((failure) => failure !== undefined)
  if (refused && playground.read().conversation.id === before.id) {
    playground.removeLastRound()
    playground.change({ error: failures[0] })
  }
  return !refused
}

/**
 * Sends the results of tool calls to a model.
 * @param results by the IDs of the calls
 */
export async function giveResults(
  results: Readonly<Record<string, string>>,
  head: RequestHead,
  place: number,
  queryClient: QueryClient,
): Promise<void> {
  const { conversation } = playground.read()
  playground.changeAnswers(conversation.id, place, (steps) => [
    ...steps.slice(0, -1),
    { ...steps.at(-1)!, results },
  ])
  // Required again, the model would call a tool forever.
  const { toolChoice, ...free } = head
  await answer(toolChoice === 'none' ? head : free, place, queryClient)
}

/** Repeats a request to a model that refused it or broke off. */
export async function tryAgain(head: RequestHead, place: number, queryClient: QueryClient): Promise<void> {
  const { id } = playground.read().conversation
  playground.changeAnswers(id, place, (steps) => steps.slice(0, -1))
  await answer(head, place, queryClient)
}

export function stop(): void {
  for (const controller of controllers.values()) controller.abort()
}

/** Resolves at the end of the answer, with the reason if the request was refused, else undefined. */
async function answer(head: RequestHead, place: number, queryClient: QueryClient): Promise<unknown> {
  const { id: conversationId, rounds } = playground.read().conversation
  const controller = new AbortController()
  controllers.get(place)?.abort()
  controllers.set(place, controller)
  const isShown = (): boolean => playground.read().conversation.id === conversationId
  const before = stepsAt(rounds, place)
  let latest = newStep(head.model)
  const show = (step: Step): void => {
    latest = step
    playground.changeAnswers(conversationId, place, () => [...before, step])
  }
  playground.setRunning(place, true)
  show(latest)
  let failure: unknown
  try {
    show(await complete({ ...head, turns: turnsOf(rounds, place) }, controller.signal, show))
  } catch (error) {
    const isStopped = controller.signal.aborted
    if (!isStopped && latest.text === '' && latest.reasoning === '') failure = error
    show(endStep(latest, isStopped ? undefined : error))
  } finally {
    if (controllers.get(place) === controller) controllers.delete(place)
    if (isShown()) {
      playground.setRunning(place, false)
      await keepConversation(playground.read().conversation)
    }
  }
  void learnCharge(latest, conversationId, queryClient)
  return failure
}

function stepsAt(rounds: readonly Round[], place: number): readonly Step[] {
  return rounds.at(-1)?.answers[place] ?? []
}

/** @param error undefined: the user stopped the answer */
function endStep(step: Step, error: unknown): Step {
  if (error === undefined) return { ...step, facts: { ...step.facts, state: 'stopped' } }
  const isTold = error instanceof ApiFailure
  const problem = isTold ? error.message : 'The connection to the gateway was lost during the answer.'
  const requestId = isTold ? error.requestId : null
  return {
    ...step,
    facts: { ...step.facts, state: 'failed', problem, ...(requestId !== null && { requestId }) },
  }
}

/** Reads the cost of an incomplete answer from the gateway's log. */
async function learnCharge(step: Step, conversationId: string, queryClient: QueryClient): Promise<void> {
  const { facts } = step
  const isRefused = facts.state === 'failed' && facts.firstTokenMs === undefined
  if (facts.costUsd === undefined && !isRefused) {
    const charge = await chargeOf(facts, {
      playgroundKeyId: async () => {
        const account = await queryClient.fetchQuery({ ...accountQuery, staleTime: 0 })
        return account.playground_key_id
      },
      knownRequestIds,
    })
    const isIt = (one: Step): boolean =>
      facts.requestId === undefined
        ? one.facts === facts
        : one.facts.requestId === facts.requestId && one.facts.state === facts.state
    if (charge !== undefined) playground.addFacts(conversationId, isIt, charge)
    const { conversation } = playground.read()
    if (conversation.id === conversationId) await keepConversation(conversation)
  }
  await makeStale(queryClient, 'requests')
}

function knownRequestIds(): ReadonlySet<string> {
  const steps = playground.read().conversation.rounds.flatMap(({ answers }) => answers.flat())
  return new Set(steps.flatMap(({ facts }) => facts.requestId ?? []))
}
