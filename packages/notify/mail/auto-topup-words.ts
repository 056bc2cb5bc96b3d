import type { EventData, EventType } from '../events/event.ts'

type AutoTopupEvent = Extract<EventType, `auto_topup.${string}`>

interface Words {
  subject: string
  paragraphs: readonly string[]
  link?: { text: string; url: string }
}

const without = 'Requests are refused once the credit is used up.'

/** Of `auto_topup.…` events; what they tell is in `packages/storage/auto-topups/tell.ts`. */
export function autoTopupWords(type: AutoTopupEvent, data: EventData): Words {
  const of = (name: string): string => `${data[name] as string | number}`
  const amount = of('amount_usd')
  switch (type) {
    case 'auto_topup.action_required': {
      const { action_url: url } = data
      return {
        subject: `Your bank wants you to confirm a top-up of ${amount} USD`,
        paragraphs: [
          `Credit is below ${of('threshold_usd')} USD, and ${amount} USD were to be charged to the saved ` +
            'payment method. The bank wants you to confirm that: nothing was charged. Pay at the checkout ' +
            'within a day; what you pay with is charged from then on.',
        ],
        ...(typeof url === 'string' && { link: { text: 'Go to the checkout', url } }),
      }
    }
    case 'auto_topup.failed':
      return {
        subject: `An automatic top-up of ${amount} USD has failed`,
        paragraphs: [
          `The saved payment method could not be charged (${of('failure')}). It is tried again ` +
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
        subject: 'The month’s cap holds automatic top-up back',
        paragraphs: [
          `${of('charged_this_month_usd')} USD were charged in ${of('month')}, of at most ` +
            `${of('monthly_cap_usd')} USD. Credit is low, and nothing more is charged this month unless ` +
            `you raise the cap. ${without}`,
        ],
      }
  }
}

function whyStopped(failure: string, attemptsFailed: string): string {
  if (failure === 'refunded' || failure === 'disputed')
    return (
      `A payment of yours ${failure === 'refunded' ? 'was refunded' : 'is disputed'}, and its credit was ` +
      'taken back. So that this is not charged again, nothing is charged any more until you set automatic ' +
      'top-up again.'
    )
  return (
    `The saved payment method could not be charged ${attemptsFailed} times, at last for ${failure}. ` +
    'Nothing is charged any more until you set automatic top-up again, or with another payment method.'
  )
}
