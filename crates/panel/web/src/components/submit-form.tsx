import { Button, type ButtonProps, Group } from '@mantine/core';
import { texts } from '../i18n/texts';

const common = texts('common');

interface FormProps extends Omit<React.ComponentProps<'form'>, 'onSubmit'> {
  onSubmit: () => void;
}

/** A form whose submission stays on the page. */
export function SubmitForm({ onSubmit, ...props }: FormProps) {
  return (
    <form
      {...props}
      onSubmit={(event) => {
        event.preventDefault();
        onSubmit();
      }}
    />
  );
}

interface ButtonsProps extends Pick<ButtonProps, 'loading' | 'disabled'> {
  onCancel: () => void;
  /** The verb of the button that submits the form. */
  children: React.ReactNode;
}

/** The buttons at the end of a form: cancel and submit. */
export function FormButtons({ onCancel, children, ...submit }: ButtonsProps) {
  return (
    <Group justify="flex-end" gap="xs">
      <Button variant="default" onClick={onCancel}>
        {common('cancel')}
      </Button>
      <Button type="submit" {...submit}>
        {children}
      </Button>
    </Group>
  );
}
