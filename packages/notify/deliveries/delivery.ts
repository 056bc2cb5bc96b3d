import type { Event, NewEvent } from '../events/event.ts'
import type { TargetWithSecrets } from '../targets/target.ts'

/** `failed`: given up, until redelivered by hand. `cancelled`: target disabled, or its member left. */
export const deliveryStates = ['pending', 'delivered', 'failed', 'cancelled'] as const
export type DeliveryState = (typeof deliveryStates)[number]

export interface Delivery {
  id: string
  eventId: string
  eventType: string
  targetId: string
  /** If the target addresses roles: the member that this delivery is for. */
  memberId: string | null
  state: DeliveryState
  attempts: number
  /** When a pending delivery is tried next. */
  nextAtMs: number
  deliveredAtMs: number | null
  createdAtMs: number
}

export interface DeliveryAttempt {
  /** Starts at 1. */
  number: number
  atMs: number
  /** The HTTP status of the receiver's response; null if there was none. */
  status: number | null
  durationMs: number
  /** Null if it was delivered. */
  error: string | null
  /** The beginning of the response body. */
  answerStart: string | null
}

/** A delivery that a node has claimed, with everything needed to attempt it. */
export interface DueDelivery {
  id: string
  /** Together with the node, it distinguishes this claim from any other. */
  claimUntilMs: number
  tries: number
  deadlineMs: number
  event: Event
  target: TargetWithSecrets
  /** Mail only. */
  recipient: MailRecipient | null
}

export interface MailRecipient {
  email: string
  /** Organizations only. */
  accountName: string | null
  /** Name of the member that the event is about. */
  memberName: string | null
  /** The last part of this recipient's unsubscribe link. */
  unsubscribeCode: string
}

/** The outcome of an attempt. */
export interface AttemptResult {
  attempt: Omit<DeliveryAttempt, 'number'>
  /** `gone`: the receiver wants no more deliveries, ever. `again`: try again at `atMs`. */
  outcome: { kind: 'delivered' | 'failed' | 'gone' } | { kind: 'again'; atMs: number }
}

export interface DeliveryFilter {
  targetId?: string
  eventId?: string
  state?: DeliveryState
}

export interface Page {
  limit: number
  cursor?: string
}

export interface PageOf<Row> {
  rows: Row[]
  nextCursor: string | null
}

export interface EventStore {
  /** An account of null is the operator. Newest first. */
  list(accountId: string | null, page: Page, type?: string): Promise<PageOf<Event>>
  find(accountId: string | null, id: string): Promise<Event | undefined>
  /** Raises it in a transaction of its own. @returns undefined if its dedupe key already exists */
  raise(event: NewEvent): Promise<Event | undefined>
  /**
   * Raises the event for this target alone, whichever types the target subscribes to.
   * @returns the delivery, or the first one of several; `busy` if `most` deliveries are already pending for
   * the target; `nobody` if no member has its roles; undefined if the account has no such target
   */
  raiseFor(
    targetId: string,
    event: NewEvent,
    most: number,
  ): Promise<{ deliveryId: string } | 'busy' | 'nobody' | undefined>
  /** Deletes some of the events before that time, with their deliveries. @returns whether there are more */
  dropBefore(timeMs: number): Promise<boolean>
}

export interface DeliveryStore {
  /** Newest first. */
  list(accountId: string | null, filter: DeliveryFilter, page: Page): Promise<PageOf<Delivery>>
  find(accountId: string | null, id: string): Promise<Delivery | undefined>
  /** All attempts, oldest first. */
  attempts(id: string): Promise<DeliveryAttempt[]>
  /**
   * Starts the delivery again, whatever its state.
   * @returns `inactive` if its target accepts no deliveries; undefined if there is no such delivery
   */
  redeliver(accountId: string | null, id: string, nowMs: number): Promise<Delivery | 'inactive' | undefined>
  /** Claims deliveries that are due and unclaimed, for this node until the claim expires. */
  claimDue(claim: DeliveryClaim): Promise<DueDelivery[]>
  /**
   * Records an attempt and its outcome, unless another node has claimed the delivery in the meantime.
   * @returns whether it was recorded
   */
  conclude(nodeId: string, due: DueDelivery, result: AttemptResult, nowMs: number): Promise<boolean>
  /** How many deliveries are pending and when the oldest of them was created; null: there is none. */
  waiting(): Promise<{ count: number; sinceMs: number | null }>
}

/** The names under which `DeliveryClaim.busy` counts a delivery. */
export function busyNames({ targetId, accountId }: { targetId: string; accountId: string | null }): string[] {
  return [targetId, accountId ?? 'operator']
}

export interface DeliveryClaim {
  nodeId: string
  limit: number
  /** How many deliveries to one target, and for one account, a node may have under way. */
  perTarget: number
  perAccount: number
  /** How many deliveries are under way, by target and by account. */
  busy: ReadonlyMap<string, number>
  nowMs: number
  untilMs: number
}
