import type { DeliveryWorker } from '@turnpike/notify'
import type { Registry } from 'prom-client'
import type { AlertWatch } from '../notify/alert-watch.ts'
import { alone, registerCounter, registerGauge } from './register.ts'

export interface DeliverySources {
  deliveries: Pick<DeliveryWorker, 'tally'>
  watch: Pick<AlertWatch, 'waiting'>
}

/** Metrics of events on their way to webhooks and mail. */
export function registerDeliveryMetrics(registry: Registry, { deliveries, watch }: DeliverySources): void {
  registerGauge(
    registry,
    {
      name: 'turnpike_event_deliveries_waiting',
      help: 'Event deliveries that have not arrived yet, from the database; the same on every node.',
    },
    () => alone(watch.waiting.count),
  )
  registerGauge(
    registry,
    {
      name: 'turnpike_event_deliveries_oldest_seconds',
      help: 'Age of the oldest event delivery that has not arrived; 0 if none is waiting.',
    },
    () => {
      const { sinceMs } = watch.waiting
      return alone(sinceMs === null ? 0 : Math.max(0, (Date.now() - sinceMs) / 1_000))
    },
  )
  registerCounter(
    registry,
    {
      name: 'turnpike_event_delivery_attempts_total',
      help: 'Attempts of this node to deliver an event, by result.',
      labelNames: ['kind', 'result'],
    },
    () =>
      (['webhook', 'mail'] as const).flatMap((kind) =>
        (['delivered', 'again', 'failed'] as const).map(
          (result) => [{ kind, result }, deliveries.tally[kind][result]] as const,
        ),
      ),
  )
}
