import type { EventData, EventType } from '../events/event.ts'

type AutoTopupEvent = Extract<EventType, `auto_topup.${string}`>

interface Words {
  subject: string
  paragraphs: readonly string[]
  link?: { text: string; url: string }
}

const without = 'Requests are refused once the credit is used up.'

/** The text about an `auto_topup.…` event, whose data `packages/storage/auto-topups/raise.ts` writes. */
export function autoTopupWords(type: AutoTopupEvent, data: EventData): Words {
  const of = (name: string): string => `${data[name] as string | number}`
  const amount = of('amount_usd')
  switch (type) {
    case 'auto_topup.action_required': {
      const { action_url: url } = data
      return {
        subject: `Your bank wants you to confirm a top-up of ${amount} USD`,
        paragraphs: [
          `Your credit is below ${of('threshold_usd')} USD, so we tried to charge ${amount} USD to the ` +
            'saved payment method. Your bank wants you to confirm this payment, so nothing was charged. ' +
            'Pay at the checkout within a day. The payment method you use there is charged from then on.',
        ],
        ...(typeof url === 'string' && { link: { text: 'Go to the checkout', url } }),
      }
    }
    case 'auto_topup.failed':
      return {
        subject: `An automatic top-up of ${amount} USD failed`,
        paragraphs: [
          `The saved payment method could not be charged (${of('failure')}). We will try again ` +
            `${of('attempts_failed') === '1' ? 'in an hour' : 'in six hours'}. ${without}`,
        ],
      }
    case 'auto_topup.stopped':
      return {
        subject: 'Automatic top-up has stopped',
        paragraphs: [`${whyStopped(of('failure'), of('attempts_failed'))} ${without}`],
      }
    case 'auto_topup.capped':
      return {
        subject: 'Automatic top-up has reached its monthly cap',
        paragraphs: [
          `${of('charged_this_month_usd')} USD was charged in ${of('month')}, out of a cap of ` +
            `${of('monthly_cap_usd')} USD. Your credit is low, and nothing more is charged this month ` +
            `unless you raise the cap. ${without}`,
        ],
      }
  }
}

function whyStopped(failure: string, attemptsFailed: string): string {
  if (failure === 'refunded' || failure === 'disputed')
    return (
      `One of your payments ${failure === 'refunded' ? 'was refunded' : 'is disputed'}, so its credit was ` +
      'taken back. Automatic top-up is paused so that it is not charged again. To resume, set automatic ' +
      'top-up again.'
    )
  return (
    `The saved payment method could not be charged ${attemptsFailed} times (last reason: ${failure}). ` +
    'Nothing more is charged until you set automatic top-up again, with this or another payment method.'
  )
}
