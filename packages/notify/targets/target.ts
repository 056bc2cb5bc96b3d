import type { EventType } from '../events/event.ts'

export type TargetKind = 'webhook' | 'mail'

/** `unconfirmed`: an unverified address, which gets a confirmation mail and nothing else. */
export type TargetStatus = 'active' | 'unconfirmed' | 'disabled'

/** Roles that a target can address: those that may set alerts. */
export const toldRoles = ['owner', 'admin', 'billing'] as const
export type ToldRole = (typeof toldRoles)[number]

const wordsOfRoles: Record<ToldRole, string> = { owner: 'owners', admin: 'admins', billing: 'billing' }

/** The name of a target for these roles, as in "owners and billing". */
export function nameOfRoles(roles: readonly ToldRole[]): string {
  const words = toldRoles.filter((role) => roles.includes(role)).map((role) => wordsOfRoles[role])
  const [last = '', ...before] = words.toReversed()
  return before.length === 0 ? last : `${before.toReversed().join(', ')} and ${last}`
}

/** Where events of an account, or of the operator, are sent. */
export interface EventTarget {
  id: string
  /** Null: the operator's. */
  accountId: string | null
  kind: TargetKind
  name: string
  /** Webhooks only. */
  url: string | null
  /** Mail to one address only. */
  email: string | null
  /** Mail to roles only: to the members who have one of these roles when an event occurs. */
  roles: readonly ToldRole[] | null
  types: readonly (EventType | '*')[]
  status: TargetStatus
  disabledReason: string | null
  /** When the previous secret stops signing; null: there is none. */
  previousUntilMs: number | null
  /** How many events in a row were given up. */
  failuresInRow: number
  createdAtMs: number
  updatedAtMs: number
}

/** What the holder of an unsubscribe link may see. */
export interface Subscription {
  name: string
  accountId: string | null
  isSubscribed: boolean
}

/** A target with its secrets in their stored form; a webhook has one. */
export interface TargetWithSecrets extends EventTarget {
  secret: string | null
  previousSecret: string | null
  /** For mail to one member of a target that addresses roles: that target. */
  parentId: string | null
}

export interface NewTarget {
  id: string
  accountId: string | null
  kind: TargetKind
  name: string
  url: string | null
  email: string | null
  roles: readonly ToldRole[] | null
  types: readonly string[]
  secret: string | null
  status: TargetStatus
  /** SHA-256 of the code that confirms the address. */
  confirmHash: string | null
}

export interface TargetChanges {
  name?: string
  url?: string
  roles?: readonly ToldRole[]
  types?: readonly string[]
  /** A target set to `active` receives only events that occur from now on. */
  status?: 'active' | 'disabled'
}

/** How many people currently have a target's roles. */
export interface PeopleOfTarget {
  reached: number
  /** People without a verified address. */
  unreached: number
}

/** The targets of one account; null is the operator. Another account's target is undefined. */
export interface TargetStore {
  /** @returns undefined if the account already has `most` targets */
  create(target: NewTarget, most: number, nowMs: number): Promise<EventTarget | undefined>
  list(accountId: string | null): Promise<EventTarget[]>
  find(accountId: string | null, id: string): Promise<EventTarget | undefined>
  /** Null: the target does not address roles. */
  peopleOf(target: EventTarget): Promise<PeopleOfTarget | null>
  update(
    accountId: string | null,
    id: string,
    changes: TargetChanges,
    nowMs: number,
  ): Promise<EventTarget | undefined>
  /** Deletes the target's deliveries too. */
  remove(accountId: string | null, id: string): Promise<boolean>
  /** The current secret becomes the previous one, which signs until then; an older one stops at once. */
  replaceSecret(
    accountId: string | null,
    id: string,
    secret: string,
    previousUntilMs: number,
    nowMs: number,
  ): Promise<EventTarget | undefined>
  /**
   * Sets a new code for an unconfirmed address; the old code becomes invalid.
   * @param notSinceMs the renewal is refused if the last code was made after this time
   */
  renewCode(id: string, confirmHash: string, notSinceMs: number, nowMs: number): Promise<boolean>
  /** @returns undefined if no address waits for this code, or if the code is older than `sinceMs` */
  confirm(confirmHash: string, sinceMs: number, nowMs: number): Promise<EventTarget | undefined>
  /** Finds the subscription whose mails have this code in their links. */
  findByUnsubscribeCode(code: string): Promise<Subscription | undefined>
  /**
   * Unsubscribes, or subscribes again. Whoever has the code has received the mail, so no other proof is
   * needed.
   * @returns undefined if there is no such subscription
   */
  subscribe(code: string, wantsMail: boolean, nowMs: number): Promise<Subscription | undefined>
}
