import type { DeliveryWorker } from '@turnpike/notify'
import type { AlertWatch } from '../notify/alert-watch.ts'
import type { Meters } from './register.ts'

export interface DeliverySources {
  deliveries: Pick<DeliveryWorker, 'tally'>
  watch: Pick<AlertWatch, 'waiting'>
}

/** Metrics of events on their way to webhooks and mail. */
export function registerDeliveryMetrics(
  { counter, gauge }: Meters,
  { deliveries, watch }: DeliverySources,
): void {
  gauge(
    'turnpike_event_deliveries_waiting',
    'Event deliveries that have not arrived yet, from the database; the same on every node.',
    [],
    () => watch.waiting.count,
  )
  gauge(
    'turnpike_event_deliveries_oldest_seconds',
    'Age of the oldest event delivery that has not arrived; 0 if none is waiting.',
    [],
    () => {
      const { sinceMs } = watch.waiting
      return sinceMs === null ? 0 : Math.max(0, (Date.now() - sinceMs) / 1_000)
    },
  )
  counter(
    'turnpike_event_delivery_attempts_total',
    'Attempts of this node to deliver an event, by result.',
    ['kind', 'result'],
    () =>
      (['webhook', 'mail'] as const).flatMap((kind) =>
        (['delivered', 'again', 'failed'] as const).map(
          (result) => [{ kind, result }, deliveries.tally[kind][result]] as const,
        ),
      ),
  )
}
