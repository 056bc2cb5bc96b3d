import type { Event, NewEvent } from '../events/event.ts'
import type { TargetWithSecrets } from '../targets/target.ts'

/**
 * `failed`: given up, to be delivered again by hand. `cancelled`: its target was disabled, or whom it was for
 * has left.
 */
export const deliveryStates = ['pending', 'delivered', 'failed', 'cancelled'] as const
export type DeliveryState = (typeof deliveryStates)[number]

export interface Delivery {
  id: string
  eventId: string
  eventType: string
  targetId: string
  /** Of a target that is for roles: whom this one is for. */
  memberId: string | null
  state: DeliveryState
  attempts: number
  /** Of a pending one. */
  nextAtMs: number
  deliveredAtMs: number | null
  createdAtMs: number
}

export interface DeliveryAttempt {
  /** From 1 on. */
  number: number
  atMs: number
  /** What the receiver answered; null: nothing. */
  status: number | null
  durationMs: number
  /** Null where it was delivered. */
  error: string | null
  /** The beginning of the answer's body. */
  answerStart: string | null
}

/** One that a node has claimed, with all that it takes to try it. */
export interface DueDelivery {
  id: string
  /** With the node it tells this claim from any other. */
  claimUntilMs: number
  tries: number
  deadlineMs: number
  event: Event
  target: TargetWithSecrets
  /** Of mail. */
  recipient: MailRecipient | null
}

export interface MailRecipient {
  email: string
  /** Of an organization. */
  accountName: string | null
  /** Of the member that the event is about. */
  memberName: string | null
  /** Ends the link that unsubscribes this recipient. */
  unsubscribeCode: string
}

/** What became of an attempt. */
export interface AttemptResult {
  attempt: Omit<DeliveryAttempt, 'number'>
  /** `gone`: the receiver wants nothing more, ever. `again`: at that time. */
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
  /** Null: the operator's. Newest first. */
  list(accountId: string | null, page: Page, type?: string): Promise<PageOf<Event>>
  find(accountId: string | null, id: string): Promise<Event | undefined>
  /** Of no transaction but its own. @returns undefined where its dedupe key is known */
  raise(event: NewEvent): Promise<Event | undefined>
  /**
   * To this target alone, whatever types it wants.
   * @returns the delivery, or the first of them; `busy` where so many are on their way to it; `nobody` where
   * no member has its roles; undefined where the account has none such
   */
  raiseFor(
    targetId: string,
    event: NewEvent,
    most: number,
  ): Promise<{ deliveryId: string } | 'busy' | 'nobody' | undefined>
  /** Drops those before that time, with their deliveries: a few at a time. @returns whether there are more */
  dropBefore(timeMs: number): Promise<boolean>
}

export interface DeliveryStore {
  /** Newest first. */
  list(accountId: string | null, filter: DeliveryFilter, page: Page): Promise<PageOf<Delivery>>
  find(accountId: string | null, id: string): Promise<Delivery | undefined>
  /** All there are, oldest first. */
  attempts(id: string): Promise<DeliveryAttempt[]>
  /**
   * Begins it anew, whatever became of it.
   * @returns `inactive` where its target takes nothing; undefined where there is none such
   */
  redeliver(accountId: string | null, id: string, nowMs: number): Promise<Delivery | 'inactive' | undefined>
  /**
   * Those that are due and that nobody has claimed, for this node until then.
   */
  claimDue(claim: DeliveryClaim): Promise<DueDelivery[]>
  /**
   * Notes an attempt and what follows of it; nothing where another node has claimed it meanwhile.
   * @returns whether it was noted
   */
  conclude(nodeId: string, due: DueDelivery, result: AttemptResult, nowMs: number): Promise<boolean>
  /** Those that have not arrived, and when the oldest of them began; null: there is none. */
  waiting(): Promise<{ count: number; sinceMs: number | null }>
}

/** Of a delivery, in `DeliveryClaim.busy`. */
export function busyNames({ targetId, accountId }: { targetId: string; accountId: string | null }): string[] {
  return [targetId, accountId ?? 'operator']
}

export interface DeliveryClaim {
  nodeId: string
  limit: number
  /** Of one target, and of one account, at most so many are under way on a node. */
  perTarget: number
  perAccount: number
  /** By target and by account: how many are. */
  busy: ReadonlyMap<string, number>
  nowMs: number
  untilMs: number
}
