import type { EventType } from '../events/event.ts'

export type TargetKind = 'webhook' | 'mail'

/** `unconfirmed`: an address that nobody has vouched for yet; nothing but a confirmation is sent to it. */
export type TargetStatus = 'active' | 'unconfirmed' | 'disabled'

/** Whose holders can be told together: those who may set alerts. */
export const toldRoles = ['owner', 'admin', 'billing'] as const
export type ToldRole = (typeof toldRoles)[number]

const wordsOfRoles: Record<ToldRole, string> = { owner: 'owners', admin: 'admins', billing: 'billing' }

/** As in "owners and billing": what a target for them is called. */
export function nameOfRoles(roles: readonly ToldRole[]): string {
  const words = toldRoles.filter((role) => roles.includes(role)).map((role) => wordsOfRoles[role])
  const [last = '', ...before] = words.toReversed()
  return before.length === 0 ? last : `${before.toReversed().join(', ')} and ${last}`
}

/** Where the events of an account, or of the operator, are told. */
export interface EventTarget {
  id: string
  /** Null: the operator's. */
  accountId: string | null
  kind: TargetKind
  name: string
  /** Of a webhook. */
  url: string | null
  /** Of mail to one address. */
  email: string | null
  /** Of mail to whoever has one of these roles in the organization when something happens. */
  roles: readonly ToldRole[] | null
  types: readonly (EventType | '*')[]
  status: TargetStatus
  disabledReason: string | null
  /** When the secret before the current one stops signing; null: there is none. */
  previousUntilMs: number | null
  /** Events in a row that were given up. */
  failuresInRow: number
  createdAtMs: number
  updatedAtMs: number
}

/** What is told to whoever has the code of a mail's link. */
export interface Subscription {
  name: string
  accountId: string | null
  isSubscribed: boolean
}

/** With its secrets as they are kept; a webhook has one. */
export interface TargetWithSecrets extends EventTarget {
  secret: string | null
  previousSecret: string | null
  /** Of the mail to one member of a target for roles: that target. */
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
  /** SHA-256 of the code that confirms it. */
  confirmHash: string | null
}

export interface TargetChanges {
  name?: string
  url?: string
  roles?: readonly ToldRole[]
  types?: readonly string[]
  /** `active` begins anew with what comes from now on. */
  status?: 'active' | 'disabled'
}

/** How many people have the roles of a target now. */
export interface PeopleOfTarget {
  reached: number
  /** Nobody has verified their address. */
  unreached: number
}

/** Of one account; null is the operator. What is another one's is undefined. */
export interface TargetStore {
  /** @returns undefined where the account has so many already */
  create(target: NewTarget, most: number, nowMs: number): Promise<EventTarget | undefined>
  list(accountId: string | null): Promise<EventTarget[]>
  find(accountId: string | null, id: string): Promise<EventTarget | undefined>
  /** Null: it is not for roles. */
  peopleOf(target: EventTarget): Promise<PeopleOfTarget | null>
  update(
    accountId: string | null,
    id: string,
    changes: TargetChanges,
    nowMs: number,
  ): Promise<EventTarget | undefined>
  /** Its deliveries go with it. */
  remove(accountId: string | null, id: string): Promise<boolean>
  /** The secret becomes the previous one, which signs until then; an older one ends at once. */
  replaceSecret(
    accountId: string | null,
    id: string,
    secret: string,
    previousUntilMs: number,
    nowMs: number,
  ): Promise<EventTarget | undefined>
  /**
   * Another code for an address that is not confirmed; the one before ends.
   * @param notSinceMs refused where the last one was made after that
   */
  renewCode(id: string, confirmHash: string, notSinceMs: number, nowMs: number): Promise<boolean>
  /** @returns undefined where no address waits for this code, or it is older than that */
  confirm(confirmHash: string, sinceMs: number, nowMs: number): Promise<EventTarget | undefined>
  /** Whose mails have this code in their links. */
  findByUnsubscribeCode(code: string): Promise<Subscription | undefined>
  /**
   * Ends mail to it, or has it begin again: whoever has the code has had the mail.
   * @returns undefined where there is none such
   */
  subscribe(code: string, wantsMail: boolean, nowMs: number): Promise<Subscription | undefined>
}
