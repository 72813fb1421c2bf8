//! The public items of a crate, read from its source.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use quote::ToTokens;
use syn::{Attribute, Fields, ImplItem, Item, ItemEnum, ItemImpl, ItemStruct, Type, UseTree, Visibility};

/// The path of a module from the root of the crate.
type ModulePath = Vec<String>;

/// A module without its submodules and tests.
#[derive(Default)]
struct Module {
    /// The paths of imported and re-exported items, by name.
    imports: BTreeMap<String, Vec<String>>,
    /// The names of re-exported items.
    exports: Vec<String>,
    /// The facts about each public item, by name.
    items: BTreeMap<String, Vec<String>>,
    /// The paths of types, with the facts about their public functions and constants.
    impls: Vec<(Vec<String>, Vec<String>)>,
}

/// The name and the folder of another crate. The crate re-exports its modules.
#[derive(Clone, Copy)]
pub struct OtherCrate<'a> {
    pub name: &'static str,
    pub folder: &'a Path,
}

/// The modules of a crate. Those of other crates are below the names of their crates.
#[derive(Default)]
pub struct Source {
    modules: BTreeMap<ModulePath, Module>,
    others: Vec<&'static str>,
}

impl Source {
    /// Reads a crate from its source folder, and the crates that it re-exports.
    pub fn read(folder: &Path, others: &[OtherCrate<'_>]) -> Self {
        let mut source = Self::default();
        source.add_file(&folder.join("lib.rs"), folder, Vec::new());
        for OtherCrate { name, folder } in others {
            source.add_file(&folder.join("lib.rs"), folder, vec![(*name).to_owned()]);
            source.others.push(*name);
        }
        source
    }

    fn add_file(&mut self, file: &Path, folder: &Path, path: ModulePath) {
        let text = fs::read_to_string(file).expect("the source file is readable");
        let parsed = syn::parse_file(&text).map_err(|error| format!("{}: {error}", file.display()));
        let parsed = parsed.expect("the source file is valid");
        self.add(parsed.items, folder, path);
    }

    /// Adds a module and its submodules. Their files are in `folder`.
    fn add(&mut self, items: Vec<Item>, folder: &Path, path: ModulePath) {
        let mut module = Module::default();
        for item in items {
            match item {
                Item::Mod(it) if !is_for_tests(&it.attrs) => {
                    let name = it.ident.to_string();
                    let within = folder.join(&name);
                    let inner = [path.clone(), vec![name.clone()]].concat();
                    match it.content {
                        Some((_, items)) => self.add(items, &within, inner),
                        None => {
                            let beside = folder.join(format!("{name}.rs"));
                            let file = if beside.is_file() { beside } else { within.join("mod.rs") };
                            self.add_file(&file, &within, inner);
                        }
                    }
                }
                Item::Use(it) if !is_for_tests(&it.attrs) => {
                    let mut found = Vec::new();
                    add_imports(&it.tree, &[], &mut found);
                    if is_public(&it.vis) {
                        module.exports.extend(found.iter().map(|(name, _)| name.clone()));
                    }
                    module.imports.extend(found);
                }
                Item::Struct(it) if is_public(&it.vis) => {
                    module.items.insert(it.ident.to_string(), facts_of_struct(&it));
                }
                Item::Enum(it) if is_public(&it.vis) => {
                    module.items.insert(it.ident.to_string(), facts_of_enum(&it));
                }
                Item::Type(it) if is_public(&it.vis) => {
                    module.items.insert(it.ident.to_string(), vec![format!(": type {}", text(&it.ty))]);
                }
                Item::Const(it) if is_public(&it.vis) => {
                    module.items.insert(it.ident.to_string(), vec![format!(": const {}", text(&it.ty))]);
                }
                Item::Fn(it) if is_public(&it.vis) => {
                    module.items.insert(it.sig.ident.to_string(), vec![format!(": {}", text(&it.sig))]);
                }
                Item::Impl(it) if it.trait_.is_none() && !is_for_tests(&it.attrs) => module.impls.extend(methods(&it)),
                _ => {}
            }
        }
        self.modules.insert(path, module);
    }

    /// Returns the names of the items that a module re-exports.
    pub fn exports(&self, module: &str) -> &[String] {
        &self.modules.get([module.to_owned()].as_slice()).expect("the module exists").exports
    }

    /// Returns the public items of the modules at the root, each with its module.
    pub fn names(&self) -> impl Iterator<Item = (&str, &str)> {
        self.modules.iter().filter(|(path, _)| path.len() == 1).flat_map(|(path, module)| {
            let names = module.exports.iter().chain(module.items.keys());
            names.flat_map(move |name| path.iter().map(move |module| (module.as_str(), name.as_str())))
        })
    }

    /// Returns the facts about an item that a module defines or imports: its kind, fields, variants, functions and
    /// constants.
    pub fn facts(&self, module: &[&str], name: &str) -> Vec<String> {
        let module: ModulePath = module.iter().map(|word| (*word).to_owned()).collect();
        let (definition, name) = self.resolve(&module, &[name.to_owned()]).expect("the item belongs to the crate");
        let known = self.modules.get(&definition).and_then(|it| it.items.get(&name));
        let mut facts = known.cloned().unwrap_or_else(|| vec![": from a macro".to_owned()]);
        for (path, module) in &self.modules {
            for (of, methods) in &module.impls {
                if self.resolve(path, of).is_some_and(|found| found == (definition.clone(), name.clone())) {
                    facts.extend(methods.iter().cloned());
                }
            }
        }
        facts
    }

    /// Returns the module that defines an item, and the name of the item there; `None` for items of other crates. An
    /// item that no module declares comes from a macro in the last module of its path.
    fn resolve(&self, module: &ModulePath, path: &[String]) -> Option<(ModulePath, String)> {
        let (name, before) = path.split_last()?;
        let mut at = module.clone();
        for (place, word) in before.iter().enumerate() {
            match word.as_str() {
                "crate" => at.truncate(usize::from(self.is_other(at.first()))),
                "self" => {}
                "super" => drop(at.pop()?),
                _ if place == 0 && self.is_other(Some(word)) => at = vec![word.clone()],
                _ => at = self.submodule(at, word),
            }
        }
        let source = self.modules.get(&at)?;
        match source.imports.get(name) {
            Some(import) if import.len() > 1 && !source.items.contains_key(name) => self.resolve(&at, import),
            _ => Some((at, name.clone())),
        }
    }
}

impl Source {
    fn is_other(&self, name: Option<&String>) -> bool {
        name.is_some_and(|name| self.others.contains(&name.as_str()))
    }

    /// Returns the path of a module in another one, which may re-export it from another crate.
    fn submodule(&self, at: ModulePath, name: &str) -> ModulePath {
        let import = self.modules.get(&at).and_then(|it| it.imports.get(name));
        match import.filter(|import| self.is_other(import.first())) {
            Some(import) => import.clone(),
            None => [at, vec![name.to_owned()]].concat(),
        }
    }
}

/// Collects the imports of a `use` tree: name and path.
fn add_imports(tree: &UseTree, before: &[String], found: &mut Vec<(String, Vec<String>)>) {
    let with = |ident: &dyn ToString| [before, &[ident.to_string()]].concat();
    match tree {
        UseTree::Path(it) => add_imports(&it.tree, &with(&it.ident), found),
        UseTree::Name(it) => found.push((it.ident.to_string(), with(&it.ident))),
        UseTree::Rename(it) => found.push((it.rename.to_string(), with(&it.ident))),
        UseTree::Group(it) => it.items.iter().for_each(|tree| add_imports(tree, before, found)),
        UseTree::Glob(_) => {}
    }
}

fn facts_of_struct(it: &ItemStruct) -> Vec<String> {
    let mut facts = vec![kind("struct", &it.attrs)];
    for (index, field) in it.fields.iter().enumerate().filter(|(_, field)| is_public(&field.vis)) {
        let name = field.ident.as_ref().map_or_else(|| index.to_string(), ToString::to_string);
        facts.push(format!(".{name}: {}", text(&field.ty)));
    }
    facts
}

fn facts_of_enum(it: &ItemEnum) -> Vec<String> {
    let mut facts = vec![kind("enum", &it.attrs)];
    for variant in &it.variants {
        let types = variant.fields.iter().map(|field| match &field.ident {
            Some(name) => format!("{name}: {}", text(&field.ty)),
            None => text(&field.ty),
        });
        let types = types.collect::<Vec<_>>().join(", ");
        facts.push(match &variant.fields {
            Fields::Named(_) => format!("::{} {{ {types} }}", variant.ident),
            Fields::Unnamed(_) => format!("::{}({types})", variant.ident),
            Fields::Unit => format!("::{}", variant.ident),
        });
    }
    facts
}

/// Returns the path of a type with the public functions and constants of an `impl` block.
fn methods(it: &ItemImpl) -> Option<(Vec<String>, Vec<String>)> {
    let Type::Path(of) = &*it.self_ty else { return None };
    let path = of.path.segments.iter().map(|segment| segment.ident.to_string()).collect();
    let facts = it.items.iter().filter_map(|item| match item {
        ImplItem::Fn(it) if is_public(&it.vis) && !is_for_tests(&it.attrs) => Some(format!(": {}", text(&it.sig))),
        ImplItem::Const(it) if is_public(&it.vis) && !is_for_tests(&it.attrs) => {
            Some(format!(": const {}: {}", it.ident, text(&it.ty)))
        }
        _ => None,
    });
    Some((path, facts.collect()))
}

fn kind(word: &str, attributes: &[Attribute]) -> String {
    let is_open = attributes.iter().any(|it| it.path().is_ident("non_exhaustive"));
    format!(": {word}{}", if is_open { ", non-exhaustive" } else { "" })
}

fn is_public(visibility: &Visibility) -> bool {
    matches!(visibility, Visibility::Public(_))
}

/// Whether an item exists only in tests.
fn is_for_tests(attributes: &[Attribute]) -> bool {
    attributes.iter().any(|it| it.path().is_ident("cfg") && text(it).contains("test"))
}

/// Returns the text of a part of the source, with spaces only between words.
fn text(part: &impl ToTokens) -> String {
    let is_word = |it: char| it.is_alphanumeric() || it == '_';
    let mut text = String::new();
    for word in part.to_token_stream().to_string().split_whitespace() {
        if text.ends_with(is_word) && word.starts_with(is_word) {
            text.push(' ');
        }
        text.push_str(word);
    }
    // The formatter adds a comma after the last argument on a line of its own.
    text.replace(",)", ")").replace(",>", ">")
}
