//! What is told of each kind of object. Here is the whole of it: what stands in no list is told of nobody.

mod automations;
mod people;
mod receivers;
mod vocabulary;
