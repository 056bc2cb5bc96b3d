import { TextInput, type TagsInputProps, type TextInputProps } from '@mantine/core'
import { Suspense, useState } from 'react'
import { lazyPart } from '../lazy-part.tsx'

const load = () => import('./opened-tags-input.tsx')
const Opened = lazyPart(load)

type LazyTagsInputProps = Pick<
  TagsInputProps,
  'clearable' | 'maxTags' | 'data' | 'splitChars' | 'onChange' | 'onDropdownOpen'
> &
  Pick<TextInputProps, 'label' | 'aria-label' | 'description' | 'placeholder' | 'className'> & {
    value: string[]
  }

/** An input for several texts. Its code is loaded when the user is about to use it. */
export function LazyTagsInput(props: LazyTagsInputProps) {
  const { value } = props
  const [isOpened, setOpened] = useState(false)
  const light = (
    <TextInput
      label={props.label}
      aria-label={props['aria-label']}
      description={props.description}
      placeholder={props.placeholder}
      className={props.className}
      readOnly
      value={value.join(', ')}
      onPointerEnter={() => void load().catch(() => undefined)}
      onFocus={() => setOpened(true)}
    />
  )
  if (!isOpened) return light
  return (
    <Suspense fallback={light}>
      <Opened {...props} autoFocus />
    </Suspense>
  )
}
