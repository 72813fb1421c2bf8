/** The ID of the element below the page. It contains parts that stay in the document after their page. */
export const KEPT_PLACE = 'kept';
