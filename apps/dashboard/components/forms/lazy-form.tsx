import { Skeleton } from '@mantine/core'
import { Suspense, useEffect, useRef, type ComponentType, type ReactNode } from 'react'
import { lazyPart } from '../lazy-part.tsx'

/**
 * A dialog's form whose code is loaded when the dialog opens.
 * @param height the height of its placeholder, in pixels
 */
export function lazyForm<Props extends object>(
  load: () => Promise<{ default: ComponentType<Props> }>,
  height: number,
): ComponentType<Props> {
  const Form: ComponentType<Props> = lazyPart(load)
  return function LazyForm(props: Props) {
    return (
      <Suspense fallback={<Skeleton height={height} />}>
        <Focused>
          <Form {...props} />
        </Focused>
      </Suspense>
    )
  }
}

/** The dialog has the focus until the form is loaded; then its first field gets it. */
function Focused({ children }: { children: ReactNode }) {
  const form = useRef<HTMLDivElement>(null)
  useEffect(() => form.current?.querySelector<HTMLElement>('[data-autofocus]')?.focus(), [])
  return <div ref={form}>{children}</div>
}
