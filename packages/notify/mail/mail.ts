import type { MailRecipient } from '../deliveries/delivery.ts'
import type { Event } from '../events/event.ts'
import { autoTopupWords } from './auto-topup-words.ts'
import { budgetWords } from './budget-words.ts'
import { memberWords } from './member-words.ts'
import { operatorWords } from './operator-words.ts'

export interface MailText {
  subject: string
  /** Plain text. */
  paragraphs: readonly string[]
  /** The page on which the reader continues. */
  link: MailLink
  /** For recurring mail: where the reader changes the settings, and where they unsubscribe. */
  ending?: { settings: MailLink; unsubscribe: MailLink }
}

export interface MailLink {
  text: string
  url: string
}

/** The path in front of the code in an unsubscribe link. */
export const unsubscribePath = '/unsubscribe'

/** @param publicUrl the gateway's URL, without a slash at the end */
export function mailOf(
  event: Event,
  { accountName, memberName, unsubscribeCode }: Omit<MailRecipient, 'email'>,
  publicUrl: string,
): MailText {
  const { subject, paragraphs, page, link } = words(event, memberName)
  return {
    subject: oneLine(accountName === null ? subject : `${subject} (${accountName})`),
    paragraphs: [...paragraphs.map(oneLine), ...whose(event, accountName), `Event: ${event.id}`],
    link: link ?? { text: 'Open the dashboard', url: `${publicUrl}${page}${actFor(event)}` },
    ending: {
      settings: {
        text: 'Choose your notifications',
        url: `${publicUrl}${event.accountId === null ? '/operator' : `/alerts${actFor(event)}`}`,
      },
      unsubscribe: { text: 'Unsubscribe', url: `${publicUrl}${unsubscribePath}/${unsubscribeCode}` },
    },
  }
}

function whose({ accountId }: Event, name: string | null): string[] {
  if (accountId === null) return []
  return [name === null ? `Account: ${accountId}` : `Organization: ${oneLine(name)} (${accountId})`]
}

/** The reader may act for several accounts: the link opens the page for the event's account. */
function actFor({ accountId }: Event): string {
  return accountId === null ? '' : `?act_for=${accountId}`
}

export function confirmationMail(url: string): MailText {
  return {
    subject: 'Confirm that you want alerts from this gateway',
    paragraphs: [
      'Somebody asked this gateway to send alerts about their account to this address.',
      'If you want them, open the link within a week and confirm. If you were not expecting this, ignore ' +
        'this email: we will not send more.',
    ],
    link: { text: 'Confirm this email address', url },
  }
}

interface Words {
  subject: string
  paragraphs: readonly string[]
  page: string
  /** Replaces the link to the page. */
  link?: MailLink
}

const credit = '/credit'
const keys = '/keys'

function words({ type, data }: Event, memberName: string | null): Words {
  const of = (name: string): string => textOf(data[name])
  switch (type) {
    case 'balance.low':
      return {
        subject: `Credit is low: ${of('balance_usd')} USD`,
        paragraphs: [
          `The account has ${of('balance_usd')} USD of credit left, which is less than ` +
            `${of('threshold_usd')} USD. Requests are refused once it is used up.`,
        ],
        page: credit,
      }
    case 'balance.runway':
      return {
        subject: `Credit lasts for about ${of('days_left')} days`,
        paragraphs: [
          `The account has ${of('balance_usd')} USD of credit. At the rate of the last ` +
            `${of('spent_days')} days (${of('spent_usd')} USD), it lasts for about ${of('days_left')} days.`,
        ],
        page: credit,
      }
    case 'spend.unusual':
      return {
        subject: `Unusual spending: ${of('spent_usd')} USD in an hour`,
        paragraphs: [
          `Requests have cost ${of('spent_usd')} USD so far this hour. The usual cost at this hour over ` +
            `the last two weeks was ${of('usual_usd')} USD.`,
        ],
        page: '/usage',
      }
    case 'key.expiring':
      return {
        subject: `The key "${of('name')}" expires within ${of('days')} days`,
        paragraphs: [
          `The key "${of('name')}" (${of('key_prefix')}…) expires at ${timeText(data['expires_at'])}. ` +
            'Rotate it or extend it.',
        ],
        page: keys,
      }
    case 'budget.threshold':
      return { ...budgetWords(data), page: `/budgets/${of('budget_id')}` }
    case 'topup.paid':
      return {
        subject: `Top-up of ${of('paid_usd')} USD`,
        paragraphs: [`${of('paid_usd')} USD was paid and added to the credit of the account.`],
        page: credit,
      }
    case 'topup.refunded':
      return {
        subject: 'A top-up was refunded or disputed',
        paragraphs: [
          `Of a top-up of ${of('paid_usd')} USD, ${of('refunded_usd')} USD has been refunded and ` +
            `${of('disputed_usd')} USD is disputed.`,
        ],
        page: credit,
      }
    default:
      return rarer({ type, data }, memberName)
  }
}

function rarer({ type, data }: Pick<Event, 'type' | 'data'>, memberName: string | null): Words {
  const of = (name: string): string => textOf(data[name])
  switch (type) {
    case 'topup.failed':
      return {
        subject: 'A top-up failed',
        paragraphs: ['The payment of a top-up was declined after the checkout. No credit was added.'],
        page: credit,
      }
    case 'webhook.disabled':
      return {
        subject: `"${of('name')}" no longer receives events`,
        paragraphs: [
          `The target "${of('name')}" was disabled: ${of('reason')}. Fix it, then enable it again.`,
        ],
        page: '/',
      }
    case 'webhook.test':
      return {
        subject: 'A test of your alerts',
        paragraphs: ['Somebody sent this email to check that alerts arrive. They do.'],
        page: '/',
      }
    case 'provider.key_refused':
    case 'ledger.difference':
    case 'topup.paid_after_closing':
      return { ...operatorWords(type, data), page: '/operator' }
    case 'auto_topup.action_required':
    case 'auto_topup.failed':
    case 'auto_topup.stopped':
    case 'auto_topup.capped':
      return { ...autoTopupWords(type, data), page: credit }
    case 'member.joined':
    case 'member.role_changed':
    case 'member.left':
    case 'member.removed':
    case 'invitation.created':
    case 'invitation.revoked':
      return { ...memberWords(type, data, memberName), page: '/organization' }
    default:
      return {
        subject: type,
        paragraphs: Object.entries(data).map(([name, value]) => `${name}: ${textOf(value)}`),
        page: '/',
      }
  }
}

function textOf(value: unknown): string {
  if (value === null || value === undefined) return 'none'
  return typeof value === 'string' ? value : JSON.stringify(value)
}

function timeText(seconds: unknown): string {
  return typeof seconds === 'number' ? new Date(seconds * 1000).toISOString() : textOf(seconds)
}

/** People choose their own names: no name may start another header or line, or reverse the text around it. */
function oneLine(text: string): string {
  return text.replaceAll(/[\p{Cc}\p{Zl}\p{Zp}\p{Bidi_Control}]+/gu, ' ')
}
